package dev.headgate.machine;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.run.FrameView;
import dev.headgate.internal.run.FrameView.Inbox;
import dev.headgate.internal.run.Move;
import dev.headgate.internal.run.StepType;
import dev.headgate.job.JobSpec;
import dev.headgate.job.UnreadableJsonException;
import dev.headgate.machine.Machine.SentEvent;
import dev.headgate.machine.Machine.Unexpected;
import dev.headgate.run.RunEvent.Kind;
import dev.headgate.workflow.StepOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides where an instance goes: from a state, data and an event to a move. Pure but for the guards and updates of the
 * machine itself, and called outside every transaction.
 *
 * <p>Design note: an instance is the frame of a run. Its step is {@code state/action} as long as the entry action has not
 * ended, and {@code state} while it waits for events, so that one that was stopped or failed goes on with the right half.
 * All events of an instance stand in one inbox, and a steering job takes the oldest; that it is still there when the move is
 * applied, under the lock of the instance, is what makes an event count once and in its turn.
 */
final class MachineMoves {
    private final Machine<?> machine;
    private final JsonCodec codec;

    MachineMoves(Machine<?> machine, JsonCodec codec) {
        this.machine = machine;
        this.codec = codec;
    }

    StateNode place(String state) {
        StateNode place = machine.places().get(state);
        if (place == null) {
            throw new IllegalStateException("machine %s: expected one of its states %s, got '%s'"
                    .formatted(machine, machine.places().keySet(), state));
        }
        return place;
    }

    /** Enters a state as from outside: with its entry action, if it has one. */
    Move.To enter(String state, Object data) {
        StateNode place = place(state);
        return place.entry() == null ? rest(place, data) : act(place, place.entry(), data);
    }

    private Move.To act(StateNode place, StateNode.Action action, Object data) {
        StepOptions options = new StepOptions(machine.queue(), action.always());
        action.options().accept(data, options);
        JobSpec job = options.job(
                what(action), StepType.of(machine.name(), machine.version(), action.name()), write(place.name(), data));
        return new Move.Step(place.position(), job);
    }

    /** How workers run the jobs of an entry action. */
    HandlerOptions handler(StateNode.Action action) {
        return new StepOptions(machine.queue(), action.always()).handler(what(action));
    }

    private String what(StateNode.Action action) {
        return "machine %s, entry action '%s'".formatted(machine, action.name());
    }

    /** Goes on where an instance was stopped. */
    Move.To resume(String position, Object data) {
        String state = StateNode.stateOf(position);
        return StateNode.actionOf(position) == null ? rest(place(state), data) : enter(state, data);
    }

    private Move.To rest(StateNode place, Object data) {
        return place.isFinal()
                ? new Move.Finish(place.name(), write(place.name(), data))
                : await(
                        place,
                        data,
                        place.timer() == null ? null : place.timer().after());
    }

    private Move.To await(StateNode place, Object data, @Nullable Duration timeout) {
        return new Move.Await(place.name(), write(place.name(), data), SentEvent.INBOX, timeout);
    }

    /** After the entry action of a state. */
    Move.To acted(StateNode place, Object data) {
        for (Transition way : place.done()) {
            if (way.lets(data, null)) {
                return way.target() == null ? rest(place, way.next(data, null)) : go(way.target(), way, data, null);
            }
        }
        return rest(place, data);
    }

    /** After an entry action that failed for good; absent if the machine does not say where that leads. */
    Move.@Nullable To failed(StateNode place, Object data, String error) {
        for (Transition way : place.failure()) {
            if (way.lets(data, error)) {
                return way.target() == null ? rest(place, way.next(data, error)) : go(way.target(), way, data, error);
            }
        }
        return null;
    }

    private Move.To go(String target, Transition way, Object data, @Nullable Object sent) {
        return enter(target, way.next(data, sent));
    }

    /** What the oldest event in the inbox leads to. */
    Move signalled(FrameView frame, StateNode place, Object data) {
        Inbox inbox = frame.signal();
        if (inbox == null) {
            return Move.to(new Move.Stay());
        }
        Move move;
        try {
            move = take(place, data, codec.read("event", inbox.json(), SentEvent.class));
        } catch (UnreadableJsonException notAnEvent) {
            move = unexpected(place, inbox.name(), String.valueOf(notAnEvent.getMessage()));
        }
        return move.using(inbox.id());
    }

    private Move take(StateNode place, Object data, SentEvent sent) {
        List<Transition> ways = place.events().getOrDefault(sent.event(), List.of());
        if (ways.isEmpty()) {
            String taken = place.events().isEmpty()
                    ? "no event"
                    : "only " + place.events().keySet();
            return unexpected(place, sent.event(), "state '%s' takes %s".formatted(place.name(), taken));
        }
        try {
            for (Transition way : ways) {
                Object payload = way.payload() == null
                        ? null
                        : codec.read("event '%s'".formatted(sent.event()), sent.json(), way.payload());
                if (way.lets(data, payload)) {
                    return taken(place, sent, way, data, payload);
                }
            }
        } catch (RuntimeException broken) {
            // An event that cannot be taken is the sender's trouble, not the end of the instance.
            return unexpected(place, sent.event(), "it could not be taken: " + broken.getMessage());
        }
        return unexpected(place, sent.event(), "no guard in state '%s' lets it pass".formatted(place.name()));
    }

    private Move taken(StateNode place, SentEvent sent, Transition way, Object data, @Nullable Object payload) {
        Object next = way.next(data, payload);
        Move.To to = way.target() == null
                ? new Move.Remain(place.name(), write(place.name(), next), SentEvent.INBOX)
                : enter(way.target(), next);
        return Move.to(to).because(Kind.SIGNALLED, label(sent));
    }

    private static String label(SentEvent sent) {
        return sent.key() == null ? sent.event() : "%s (%s)".formatted(sent.event(), sent.key());
    }

    private Move unexpected(StateNode place, String event, String why) {
        String detail = "%s: %s".formatted(event, why);
        Move.To to = machine.unexpected() == Unexpected.IGNORE
                ? new Move.Stay()
                : new Move.Failed("state '%s', event %s".formatted(place.name(), detail));
        return Move.to(to).because(Kind.IGNORED, detail);
    }

    /** What the timer of a state leads to. */
    Move timed(StateNode place, Object data) {
        StateNode.Timer timer = place.timer();
        if (timer == null) {
            return Move.to(new Move.Stay());
        }
        List<Transition> ways = place.timed();
        String label =
                timer.event() == null ? timer.after().toString() : "%s: %s".formatted(timer.after(), timer.event());
        for (Transition way : ways) {
            if (way.lets(data, null)) {
                Move.To to = way.target() == null
                        ? await(place, way.next(data, null), null)
                        : go(way.target(), way, data, null);
                return Move.to(to).because(Kind.TIMED, label);
            }
        }
        return Move.to(new Move.Stay()).because(Kind.TIMED, label + ": no guard lets it pass");
    }

    Object read(String state, String json) {
        return codec.read("data of machine %s in state '%s'".formatted(machine, state), json, machine.data());
    }

    private String write(String state, Object data) {
        return codec.write("machine %s, data in state '%s'".formatted(machine, state), data);
    }
}
