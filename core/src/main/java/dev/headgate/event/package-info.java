/** What happens in workers, told to those who listen. */
@NullMarked
package dev.headgate.event;

import org.jspecify.annotations.NullMarked;
