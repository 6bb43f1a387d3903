include(CMakePackageConfigHelpers)

# evertick_package(library...)
#   cmake --install makes a package of these libraries: another project says find_package(evertick CONFIG REQUIRED),
#   links evertick::<library>, and includes its headers by the same paths as here
function(evertick_package)
  set(headers ${CMAKE_INSTALL_INCLUDEDIR}/evertick)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/evertick)
  foreach(library ${ARGN})
    set_target_properties(evertick_${library} PROPERTIES EXPORT_NAME ${library})
    install(TARGETS evertick_${library} EXPORT evertick-targets COMPONENT development
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${headers})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${library} DESTINATION ${headers} COMPONENT development
      FILES_MATCHING PATTERN "*.hpp")
  endforeach()
  set_target_properties(evertick_operator_new PROPERTIES EXPORT_NAME operator_new)
  install(TARGETS evertick_operator_new EXPORT evertick-targets COMPONENT development
    OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/evertick INCLUDES DESTINATION ${headers})
  install(EXPORT evertick-targets NAMESPACE evertick:: DESTINATION ${package} COMPONENT development)
  # Before 1.0 a new minor version may change anything.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/evertick-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_SOURCE_DIR}/scripts/cmake/evertick-config.cmake
    ${PROJECT_BINARY_DIR}/evertick-config-version.cmake DESTINATION ${package} COMPONENT development)
endfunction()
