# Standalone Asio: Debian ships headers and no config file.
find_path(Asio_INCLUDE_DIR asio.hpp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Asio REQUIRED_VARS Asio_INCLUDE_DIR)
if(Asio_FOUND AND NOT TARGET Asio::Asio)
  add_library(Asio::Asio INTERFACE IMPORTED)
  target_include_directories(Asio::Asio SYSTEM INTERFACE ${Asio_INCLUDE_DIR})
  target_compile_definitions(Asio::Asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED
    ASIO_HAS_CO_AWAIT ASIO_HAS_STD_COROUTINE)  # 1.22 does not detect them under clang
  if(EVERTICK_SANITIZE STREQUAL thread)         # TSan cannot model fences; g++ 12 warns
    target_compile_definitions(Asio::Asio INTERFACE ASIO_DISABLE_FENCED_BLOCK)
  endif()
  target_link_libraries(Asio::Asio INTERFACE Threads::Threads)
endif()
