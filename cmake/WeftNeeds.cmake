# What Weft needs of the machine. What is missing is collected and told at once, with the names of the packages.
set(weft_missing "")
set(weft_missing_debian "")
set(weft_missing_conda "")

# weft_need(FOUND WHAT DEBIAN CONDA PIP): notes WHAT as missing unless FOUND is true or a path. Package names are separated by
# blanks, or "none" where there is none.
macro(weft_need found what debian conda pip)
  if("${found}" MATCHES "^(|0|FALSE|False|OFF|NO)$" OR "${found}" MATCHES "NOTFOUND$")
    string(APPEND weft_missing "  * ${what}\n      Debian: ${debian}; conda-forge: ${conda}; pip: ${pip}\n")
    string(APPEND weft_missing_debian " ${debian}")
    string(APPEND weft_missing_conda " ${conda}")
  endif()
endmacro()

# weft_each_once(VARIABLE NAMES): names that are separated by blanks, each once, without "none".
function(weft_each_once variable names)
  separate_arguments(names UNIX_COMMAND "${names}")
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names none)
  list(JOIN names " " names)
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

# Ends the configuration where anything is missing.
function(weft_check_needs)
  if(NOT weft_missing STREQUAL "")
    weft_each_once(debian "${weft_missing_debian}")
    weft_each_once(conda "${weft_missing_conda}")
    message(
      FATAL_ERROR
        "Weft needs what was not found on this machine:\n${weft_missing}"
        "  Install all of it with one of\n"
        "      apt-get install ${debian}\n"
        "      conda install -c conda-forge ${conda}\n"
        "  (make setup does the first). If it is installed where CMake does not look, set CMAKE_PREFIX_PATH.")
  endif()
endfunction()
