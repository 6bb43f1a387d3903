# xxhash, its header alone: Debian ships a pkg-config file and no CMake config.
find_path(Xxhash_INCLUDE_DIR xxhash.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Xxhash REQUIRED_VARS Xxhash_INCLUDE_DIR)
if(Xxhash_FOUND AND NOT TARGET Xxhash::Xxhash)
  add_library(Xxhash::Xxhash INTERFACE IMPORTED)
  set_target_properties(Xxhash::Xxhash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${Xxhash_INCLUDE_DIR})
endif()
