# SPDX-License-Identifier: MIT
# One shared library per product from its static rooms, with an export map, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)

# product_library(NAME liblink FILE link PREFIX link_ ROOMS a b ... LINKS x y ... REQUIRES "libnl-3.0" HEADERS dir DESCRIPTION text)
function(product_library)
    cmake_parse_arguments(P "" "NAME;FILE;PREFIX;REQUIRES;HEADERS;DESCRIPTION" "ROOMS;LINKS" ${ARGN})
    set(map ${CMAKE_BINARY_DIR}/${P_NAME}.map)
    file(WRITE ${map} "${P_NAME} { global: ${P_PREFIX}*; local: *; };\n")
    set(objects)
    foreach(room ${P_ROOMS})
        list(APPEND objects $<TARGET_OBJECTS:${room}>)
    endforeach()
    add_library(${P_NAME} SHARED ${objects})
    set_target_properties(${P_NAME} PROPERTIES OUTPUT_NAME ${P_FILE} VERSION ${PROJECT_VERSION} SOVERSION 0)
    target_link_libraries(${P_NAME} PRIVATE ${P_LINKS})
    target_link_options(${P_NAME} PRIVATE -Wl,--version-script=${map})
    target_include_directories(${P_NAME} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    install(TARGETS ${P_NAME} EXPORT ${P_NAME}-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT ${P_NAME}-targets FILE ${P_NAME}-config.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/${P_NAME})
    install(DIRECTORY ${P_HEADERS}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
    file(RELATIVE_PATH up /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
    file(WRITE ${CMAKE_BINARY_DIR}/${P_NAME}.pc
"prefix=\${pcfiledir}/${up}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}

Name: ${P_NAME}
Description: ${P_DESCRIPTION}
Version: ${PROJECT_VERSION}
Requires.private: ${P_REQUIRES}
Libs: -L\${libdir} -l${P_FILE}
Cflags: -I\${includedir}
")
    install(FILES ${CMAKE_BINARY_DIR}/${P_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
