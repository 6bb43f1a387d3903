add_library(evertick_options INTERFACE)
target_compile_options(evertick_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  -Wno-missing-field-initializers  # {.count = 3} is how we write options; the rest have defaults
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond> $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
  $<$<BOOL:${EVERTICK_WERROR}>:-Werror>)
# One result for one program: no fused multiply-add, on any compiler at any level.
target_compile_options(evertick_options INTERFACE -ffp-contract=off)
target_compile_definitions(evertick_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(EVERTICK_SANITIZE)
  target_compile_options(evertick_options INTERFACE
    -fsanitize=${EVERTICK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -fno-sanitize=vptr)  # it needs a pipe to look at memory, and reports a fault when descriptors have run out
  target_link_options(evertick_options INTERFACE -fsanitize=${EVERTICK_SANITIZE})
endif()

# libFuzzer comes with clang, and finds more where an address sanitizer looks on: there the libraries are built so
# that a fuzzer that links them learns which ways an input took, and optimised enough to take three times as many.
set(EVERTICK_FUZZ OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND EVERTICK_SANITIZE MATCHES "address")
  set(EVERTICK_FUZZ ON)
endif()

# Most of the time to build goes into headers. So all presets but release parse what nearly every file includes
# once for all libraries and once for all tests, and compile the sources of a target a few at a time (names in the
# anonymous namespaces of one target differ). release compiles every file by itself: it shows what one forgot
# to include.
set(evertick_common_headers <algorithm> <array> <chrono> <cstdint> <functional> <memory> <optional> <ranges> <span>
  <string> <string_view> <vector>)

# evertick_library(name SOURCES ... [DEPENDS ...] [PRIVATE_DEPENDS ...])
#   a static library evertick::name whose headers are included by their path from the root
function(evertick_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(evertick_${name} STATIC ${ARG_SOURCES})
  add_library(evertick::${name} ALIAS evertick_${name})
  target_include_directories(evertick_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(evertick_${name} PUBLIC cxx_std_23)
  target_link_libraries(evertick_${name} PUBLIC ${ARG_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:evertick_options> ${ARG_PRIVATE_DEPENDS})
  if(EVERTICK_FUZZ)
    target_compile_options(evertick_${name} PRIVATE -O1 -fsanitize=fuzzer-no-link)
  endif()
  if(name STREQUAL core)
    target_precompile_headers(evertick_core PRIVATE ${evertick_common_headers})
  else()
    target_precompile_headers(evertick_${name} REUSE_FROM evertick_core)
  endif()
endfunction()

# evertick_test(name SOURCES ... DEPENDS ... [LABEL unit] [TIMEOUT 60])
#   one GoogleTest executable; each TEST is a ctest entry "<prefix>/Subject.Sentence". Under a sanitizer, where a
#   process takes longer to start and to look for leaks than most tests to run, the executable is one entry.
function(evertick_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT;PREFIX" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX ${name})
  endif()
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_DEPENDS} evertick_options GTest::gmock_main)
  if(name STREQUAL core)
    target_precompile_headers(test_core PRIVATE <gtest/gtest.h> ${evertick_common_headers})
  else()
    target_precompile_headers(test_${name} REUSE_FROM test_core)
  endif()
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # So that "no memory" can be tested under a sanitizer, too. A fork, and so every death test, holds the locks of all
  # bins; more than 64 at once end the thread sanitizer's search for deadlocks, and the process.
  set(environment ENVIRONMENT ASAN_OPTIONS=allocator_may_return_null=1
    ENVIRONMENT_MODIFICATION TSAN_OPTIONS=set:allocator_may_return_null=1:detect_deadlocks=0)
  if(EVERTICK_SANITIZE)
    add_test(NAME test_${name} COMMAND test_${name})
    set_tests_properties(test_${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 600 ${environment})
  else()
    gtest_discover_tests(test_${name} TEST_PREFIX "${ARG_PREFIX}/" DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} ${environment})
  endif()
endfunction()
