# Installs what was built into an empty prefix; configures, builds and runs a project that finds the package there.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(expect_file path)
  if(NOT EXISTS ${scratch}/prefix/${path})
    message(FATAL_ERROR "${path} is not installed")
  endif()
endfunction()

file(REMOVE_RECURSE ${scratch}/prefix ${scratch}/consumer)
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)

expect_file(include/evertick/ecs/registry.hpp)
expect_file(include/evertick/core/chunked_array.hpp)
if(server)
  expect_file(bin/evertick)
  expect_file(share/evertick/evertick.toml)
elseif(EXISTS ${scratch}/prefix/bin)
  message(FATAL_ERROR "a build without the server installs programs")
endif()

# A package can be moved to another machine.
file(GLOB_RECURSE descriptions ${scratch}/prefix/*.cmake)
foreach(description ${descriptions})
  file(READ ${description} text)
  string(FIND "${text}" "${source}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${description} names the folder it was built from:\n${text}")
  endif()
endforeach()

set(flags)
if(sanitize)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${sanitize})
endif()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${scratch}/consumer -G Ninja
  -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_PREFIX_PATH=${scratch}/prefix ${flags})
run(${CMAKE_COMMAND} --build ${scratch}/consumer)
run(${scratch}/consumer/array)
run(${scratch}/consumer/wolf)
