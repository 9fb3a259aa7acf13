/** What if: a simulation as a command or a request asks for it. Start with {@link dev.headgate.server.simulation.WhatIf}. */
@NullMarked
package dev.headgate.server.simulation;

import org.jspecify.annotations.NullMarked;
