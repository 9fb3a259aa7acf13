package dev.headgate.benchmarks;

import dev.headgate.benchmarks.http.HttpParts;
import java.util.List;

/** The HTTP API: enqueue, workers in other languages, lists, and a server under attack. */
final class HttpFigures {
    private HttpFigures() {}

    public static void main(String[] args) throws Exception {
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                HttpParts.run(kind, () -> stores.freshUrl(kind), (url, waiting, ended) -> {
                    try (Fill fill = new Fill(url)) {
                        fill.ended(ended)
                                .blocked(waiting / 2, 10_000)
                                .inLine(waiting - waiting / 2, 10_000, "provider")
                                .settled();
                    }
                });
            }
        }
    }
}
