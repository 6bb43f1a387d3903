# What find_package(evertick CONFIG) reads, beside the targets that cmake --install writes.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/evertick-targets.cmake)
