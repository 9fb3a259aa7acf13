/** JUnit Jupiter opens and closes a {@link dev.headgate.testkit.TestHeadgate} for each test. Needs JUnit 5 or newer. */
@NullMarked
package dev.headgate.testkit.junit;

import org.jspecify.annotations.NullMarked;
