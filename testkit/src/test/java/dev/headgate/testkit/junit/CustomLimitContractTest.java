package dev.headgate.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.limiter.CustomLimit;
import dev.headgate.limiter.Denied;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract passes limits that are right, and finds each fault. */
class CustomLimitContractTest {
    /** Three places at once. */
    private static class Seats implements CustomLimit {
        int used;

        @Override
        public Answer tryTake(long cost) {
            if (used >= 3) {
                return Denied.untilRelease("3 of 3 seats are taken");
            }
            used++;
            return Taken.place(() -> used--);
        }

        @Override
        public void clear() {
            used = 0;
        }
    }

    /** Four starts a day. */
    private static class Daily extends Seats {
        Duration age = Duration.ZERO;

        @Override
        public Answer tryTake(long cost) {
            if (used >= 4) {
                return Denied.after(Duration.ofDays(1).minus(age), "4 of 4 today");
            }
            used++;
            return Taken.start(() -> used--);
        }

        boolean pass(Duration time) {
            age = age.plus(time);
            used = age.compareTo(Duration.ofDays(1)) >= 0 ? 0 : used;
            return true;
        }
    }

    @Nested
    class OfPlaces implements CustomLimitContract {
        @Override
        public CustomLimit open() {
            return new Seats();
        }
    }

    @Nested
    class OfStarts implements CustomLimitContract {
        private Daily opened = new Daily();

        @Override
        public CustomLimit open() {
            opened = new Daily();
            return opened;
        }

        @Override
        public boolean pass(Duration time) {
            return opened.pass(time);
        }
    }

    private static CustomLimitContract of(Supplier<CustomLimit> limit) {
        return limit::get;
    }

    private static void isFound(ThrowingCallable test, String message) {
        assertThatThrownBy(test).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }

    @Test
    void aLimitWithoutRoomOrWithoutEndIsFound() {
        CustomLimitContract none = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return Denied.untilRelease("closed");
            }
        });
        CustomLimitContract endless = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return Taken.start(() -> {});
            }
        });
        isFound(none::aNewLimitAllowsAStartAndIsFullInTheEnd, "at least one start");
        isFound(endless::aNewLimitAllowsAStartAndIsFullInTheEnd, "full after 1000 starts");
    }

    @Test
    void aDenialThatTakesIsFound() {
        CustomLimitContract taking = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return used++ >= 3 ? Denied.untilRelease("full") : Taken.place(() -> used--);
            }
        });
        isFound(taking::aDenialChangesNothing, "expected room for 1 start, got 0");
    }

    @Test
    void anUndoThatForgetsAndOneThatGivesTooMuchAreFound() {
        CustomLimitContract forgets = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return super.tryTake(cost) instanceof Denied denied ? denied : Taken.start(() -> {});
            }
        });
        CustomLimitContract gives = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return super.tryTake(cost) instanceof Denied denied ? denied : Taken.place(() -> used -= 2);
            }
        });
        isFound(forgets::anUndoneStartLeavesNoTrace, "expected a start, got a denial: 3 of 3 seats");
        isFound(gives::anUndoneStartLeavesNoTrace, "expected room for 3, got 18");
        isFound(gives::anEndFreesItsOwnPlaceAtMost, "expected room for 1 at most, got 2");
        isFound(gives::anyCostIsAnswered, "expected room for 3, got");
    }

    @Test
    void aCheckThatLiesOrTakesIsFound() {
        CustomLimitContract lies = of(() -> new Seats() {
            @Override
            public Optional<Denied> check(long cost) {
                return Optional.empty();
            }
        });
        CustomLimitContract takes = of(() -> new Seats() {
            @Override
            public Optional<Denied> check(long cost) {
                return tryTake(cost) instanceof Denied denied ? Optional.of(denied) : Optional.empty();
            }
        });
        isFound(lies::checkSaysWhatTryTakeDoesAndChangesNothing, "after 3 of 3 starts: expected it to be denied");
        isFound(takes::besideALimiterThatDeniesNothingIsTaken, "expected 3 permits, got 0");
        isFound(
                takes::checkSaysWhatTryTakeDoesAndChangesNothing,
                "check was open: expected a start, got a denial: 3 of 3");
        isFound(lies::aDenialOfOneStartIsNotForEver, "expected check to be denied");
    }

    @Test
    void moreAvailableThanThereIsAndNoneWhereThereIsAreFound() {
        for (int wrong : new int[] {0, 3}) {
            CustomLimitContract limit = of(() -> new Seats() {
                @Override
                public int available(int max) {
                    return Math.min(wrong, max);
                }
            });
            isFound(limit::availableIsNeverTooMuch, "got " + wrong);
        }
    }

    @Test
    void aClearThatKeepsAndADenialForEverAreFound() {
        CustomLimitContract keeps = of(() -> new Seats() {
            @Override
            public void clear() {}
        });
        CustomLimitContract ever = of(() -> new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return super.tryTake(cost) instanceof Taken taken ? taken : Denied.never("gone");
            }
        });
        isFound(keeps::clearForgetsWhatWasTaken, "expected room for 3 starts, as at first, got 0");
        isFound(ever::aDenialOfOneStartIsNotForEver, "got never: gone");
    }

    @Test
    void aTimeThatIsNotTrueIsFound() {
        for (Duration wrong : new Duration[] {Duration.ofHours(25), Duration.ofHours(23)}) {
            Daily[] opened = new Daily[1];
            CustomLimitContract limit = new CustomLimitContract() {
                @Override
                public CustomLimit open() {
                    opened[0] = new Daily() {
                        @Override
                        public Answer tryTake(long cost) {
                            return super.tryTake(cost) instanceof Taken taken ? taken : Denied.after(wrong, "today");
                        }
                    };
                    return opened[0];
                }

                @Override
                public boolean pass(Duration time) {
                    return opened[0].pass(time);
                }
            };
            isFound(limit::whatADenialSaysOfTimeIsTrue, "opens in " + wrong);
        }
    }

    @Test
    void aLimitWhoseTimesCannotBeTestedIsTold() {
        CustomLimitContract limit = of(() -> new Daily());
        assertThatThrownBy(limit::whatADenialSaysOfTimeIsTrue)
                .hasMessageContainingAll("not tested", "says when time opens it", "override pass(Duration)");
    }

    @Test
    void moreThanItsRoomForManyThreadsIsFound() {
        Seats[] opened = new Seats[1];
        CustomLimitContract limit = of(() -> opened[0] = new Seats() {
            @Override
            public Answer tryTake(long cost) {
                return Thread.currentThread().getName().startsWith("pool")
                        ? Taken.start(() -> {})
                        : super.tryTake(cost);
            }
        });
        isFound(limit::manyThreadsTogetherGetNoMorePermitsThanItHasRoom, "asked by 4 threads: expected 3 permits");
        assertThat(opened[0].used).isZero();
    }
}
