/**
 * What a database implements: one transaction over tables that read and write whole sets of rows.
 * A new database implements {@link dev.headgate.spi.Backend} and {@link dev.headgate.spi.StoreTransaction}.
 * Contains no rule about jobs. Exported to Headgate's own modules only; the tables may change between releases.
 */
@NullMarked
package dev.headgate.spi;

import org.jspecify.annotations.NullMarked;
