/**
 * What a program sees of the database behind Headgate: how it is opened, joined and brought up to date, and its
 * exceptions.
 * Start with {@link dev.headgate.store.CallerTransaction}.
 */
@NullMarked
package dev.headgate.store;

import org.jspecify.annotations.NullMarked;
