package dev.headgate.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A machine that cannot work is refused when it is built, with all that is wrong with it. */
class MachineTest {
    private static MachineBuilder<String> machine() {
        return Machine.named("m", 1, String.class);
    }

    private static void refused(UnaryOperator<MachineBuilder<String>> with, String... messages) {
        assertThatThrownBy(() -> with.apply(machine()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("machine 'm' version 1: ")
                .hasMessageContainingAll(messages);
    }

    @Test
    void aGoodOneShowsItsShape() {
        Machine<String> good = machine()
                .state(
                        "a",
                        s -> s.onEntry("do", (data, step) -> data)
                                .onDone()
                                .when(String::isEmpty)
                                .goTo("b")
                                .onFailure()
                                .goTo("b")
                                .on("x", Integer.class)
                                .when((data, number) -> number > 1)
                                .goTo("b")
                                .on("x")
                                .stay()
                                .after(Duration.ofHours(1))
                                .goTo("b"))
                .finalState("b")
                .initial("a")
                .build();
        assertThat(good.shape())
                .containsExactly(
                        "event x",
                        "state a",
                        "  entry do",
                        "  on x: ? b",
                        "  on x: stay",
                        "  after: b",
                        "  done: ? b",
                        "  failure: b",
                        "final b");
        assertThat(Machine.eventsIn(good.shape())).containsExactly("x");
    }

    @Test
    void statesThatAreNotThereOrCannotBeReached() {
        refused(
                m -> m.state("a", s -> s.on("x").goTo("z")).finalState("b").initial("a"),
                "state 'a': expected goTo one of the states [a, b], got 'z'",
                "state 'b': expected a way to it from 'a', found none");
    }

    @Test
    void whereItBegins() {
        refused(m -> m.state("a", s -> s.on("x").stay()), "initial: expected one of the states [a], got none");
        refused(m -> m.state("a", s -> s.on("x").stay()).initial("b"), "got 'b'");
        refused(m -> m.finalState("a").initial("a"), "initial: expected a state that is not final, got 'a'");
    }

    @Test
    void aStateWithoutAWayOut() {
        refused(
                m -> m.state("a", s -> s.onEntry("do", (data, step) -> data)).initial("a"),
                "state 'a': expected a way out of it, got none; make it a finalState");
        refused(
                m -> m.state("a", s -> s.on("x").goTo("b"))
                        .finalState("b", s -> s.on("x").goTo("a"))
                        .initial("a"),
                "state 'b': expected nothing but an entry action in a final state");
    }

    @Test
    void anEventTwiceWithoutAGuard() {
        refused(
                m -> m.state(
                                "a",
                                s -> s.on("x")
                                        .stay()
                                        .on("x")
                                        .when(String::isEmpty)
                                        .stay())
                        .initial("a"),
                "state 'a': event 'x': expected a guard on all but the last transition, got none on number 1");
    }

    @Test
    void aTransitionThatLeadsNowhere() {
        refused(
                m -> m.state("a", s -> {
                            s.on("x").when(String::isEmpty);
                            s.on("y").stay();
                        })
                        .initial("a"),
                "state 'a': event 'x': expected goTo or stay behind it");
    }

    @Test
    void timers() {
        refused(
                m -> m.state(
                                "a",
                                s -> s.after(Duration.ZERO)
                                        .stay()
                                        .after(Duration.ofDays(1), "x")
                                        .on("y")
                                        .stay())
                        .initial("a"),
                "state 'a': after: expected up to PT87840H, got PT0S",
                "state 'a': expected one timer, got PT0S and PT24H",
                "state 'a': after: expected an event that this state takes, got 'x'");
        refused(
                m -> m.state(
                                "a",
                                s -> s.after(Duration.ofDays(1), "x")
                                        .on("x", String.class)
                                        .stay())
                        .initial("a"),
                "state 'a': after: expected an event without a payload, got 'x'");
    }

    @Test
    void entryActions() {
        refused(
                m -> m.state(
                                "a",
                                s -> s.onEntry("do", (data, step) -> data)
                                        .onEntry("more", (data, step) -> data)
                                        .on("x")
                                        .goTo("b"))
                        .state(
                                "b",
                                s -> s.onEntry("more", (data, step) -> data)
                                        .on("x")
                                        .goTo("c"))
                        .state("c", s -> s.onDone().goTo("a"))
                        .initial("a"),
                "state 'a': expected one entry action, got 'do' and 'more'",
                "state 'b': expected a name of its own for each entry action, got 'more' twice",
                "state 'c': onDone and onFailure: expected an entry action that they follow");
    }

    @Test
    void names() {
        refused(
                m -> m.state("a", s -> s.on("x").stay())
                        .state("a", s -> s.on("x").stay())
                        .initial("a"),
                "state 'a': expected it once, got it twice");
        refused(
                m -> m.state("a/b", s -> s.on("x").stay()).initial("a/b"),
                "state 'a/b': expected a name without a slash");
        assertThatThrownBy(() -> Machine.named("m@1", 1, String.class))
                .hasMessageContaining("expected a name without '/' and '@'");
        assertThatThrownBy(() -> Machine.named("m", 0, String.class))
                .hasMessageContaining("expected a version from 1 on, got 0");
    }
}
