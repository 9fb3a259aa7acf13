/**
 * {@code headgate demo}: a provider with limits of its own, three tenants, and the proof that no limit broke.
 * Start with {@link dev.headgate.cli.demo.DemoCommand}.
 * The provider knows nothing of Headgate: it is the witness.
 */
@NullMarked
package dev.headgate.cli.demo;

import org.jspecify.annotations.NullMarked;
