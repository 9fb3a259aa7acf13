package dev.headgate.event;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.time.Ticker;
import dev.headgate.spi.Backend;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Planted faults: each nested type is open to everybody and names an internal one, in its own way. */
public final class PlantedLeaks {
    public static final class Returns {
        public JsonCodec codec() {
            return new JsonCodec();
        }
    }

    public static final class Takes {
        public void use(Backend[] backend) {}
    }

    public static final class TakesAtItsMaking {
        public TakesAtItsMaking(Backend backend) {}
    }

    public static final class Argues {
        public Map<String, List<? extends Backend>> backends() {
            return Map.of();
        }
    }

    public static final class Bounds {
        public <T extends Backend> void use(T backend) {}
    }

    public static final class Throws {
        public void work() throws WorkerLostException {}
    }

    public static class Holds {
        protected final JsonCodec codec = new JsonCodec();
    }

    public record Has(JsonCodec codec) {}

    public interface Extends extends Ticker {}

    public interface ExtendsOf extends Supplier<Backend> {}

    /** No fault: no other module can name what is named here. */
    public static final class Hides {
        private final JsonCodec codec = new JsonCodec();

        JsonCodec codec() {
            return codec;
        }
    }

    private PlantedLeaks() {}
}
