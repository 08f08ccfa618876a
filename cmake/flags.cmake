# SPDX-License-Identifier: MIT
# Warnings, hardening and sanitizers, carried by one interface target that every room links.
option(SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_library(project_flags INTERFACE)
target_compile_options(project_flags INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla
    $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation> -Werror)
if(SANITIZE)
    target_compile_options(project_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(project_flags INTERFACE -fsanitize=address,undefined)
else()
    target_compile_options(project_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>
        -fstack-protector-strong)
endif()
