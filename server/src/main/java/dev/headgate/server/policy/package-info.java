/** Policies as files, and what a file would change. Start with {@link dev.headgate.server.policy.PolicyFile}. */
@NullMarked
package dev.headgate.server.policy;

import org.jspecify.annotations.NullMarked;
