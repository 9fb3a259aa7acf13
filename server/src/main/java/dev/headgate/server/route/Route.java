package dev.headgate.server.route;

import dev.headgate.server.http.Response;
import dev.headgate.server.token.Right;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One method at one path.
 *
 * @param id what the contract calls it ({@code operationId})
 * @param right the right that a token must give; absent if no token is needed
 * @param reach what the route touches, for tokens that may touch only some queues or types
 * @param query the parameters of the query that it takes
 * @param repeated those of them that may be there more than once
 * @param headers the headers that change what it does
 */
public record Route(
        String id,
        String method,
        String path,
        @Nullable Right right,
        Reach reach,
        Set<String> query,
        Set<String> repeated,
        Set<String> headers,
        Action action) {
    /** What a route touches. */
    public enum Reach {
        /** Nothing of anybody. */
        NOTHING,
        /** Single jobs; the action checks that the token covers each. */
        JOBS,
        /**
         * Single queues; the action checks that the token covers each. A token for some types reads those that it names, and changes none:
         * jobs of other types are in them, too.
         */
        QUEUES,
        /** What jobs of many queues share: a token with a scope is refused. */
        SHARED
    }

    /** Does what the route is for. */
    @FunctionalInterface
    public interface Action {
        Response answer(Call call);
    }

    /** A route that everybody may call. */
    public static Route open(String id, String method, String path, Action action) {
        return new Route(id, method, path, null, Reach.NOTHING, Set.of(), Set.of(), Set.of(), action);
    }

    public static Route jobs(String id, String method, String path, Right right, Action action) {
        return new Route(id, method, path, right, Reach.JOBS, Set.of(), Set.of(), Set.of(), action);
    }

    public static Route shared(String id, String method, String path, Right right, Action action) {
        return new Route(id, method, path, right, Reach.SHARED, Set.of(), Set.of(), Set.of(), action);
    }

    public static Route queues(String id, String method, String path, Right right, Action action) {
        return new Route(id, method, path, right, Reach.QUEUES, Set.of(), Set.of(), Set.of(), action);
    }

    /** The same with parameters of the query. */
    public Route taking(String... parameters) {
        return new Route(id, method, path, right, reach, Set.of(parameters), repeated, headers, action);
    }

    /** The same with one more parameter, which may be there more than once. */
    public Route takingMany(String parameter) {
        Set<String> all = new HashSet<>(query);
        all.add(parameter);
        Set<String> many = new HashSet<>(repeated);
        many.add(parameter);
        return new Route(id, method, path, right, reach, Set.copyOf(all), Set.copyOf(many), headers, action);
    }

    /** The same with headers that it heeds. */
    public Route heeding(String... names) {
        return new Route(id, method, path, right, reach, query, repeated, Set.of(names), action);
    }
}
