package dev.headgate.examples;

import dev.headgate.limiter.CustomLimit;
import dev.headgate.testkit.junit.CustomLimitContract;
import java.util.List;

/** Runs the contract of limits of one's own against that of the example. */
// docs:begin custom-limit-test
class LicenceSeatsTest implements CustomLimitContract {
    @Override
    public CustomLimit open() {
        return new LicenceSeats.Seats(List.of("seat 1", "seat 2", "seat 3"));
    }
}
// docs:end
