package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.internal.worker.Plant.awaitIdle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that a worker's code cannot run are set aside, whole and unburnt. */
class ParkTest {
    private final Plant plant = new Plant();

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void aJobWithoutHandlerIsParkedAndNoAttemptIsBurnt() throws Exception {
        JobId id = plant.enqueue();
        awaitIdle(plant.work());
        JobStatus parked = plant.status(id);
        assertThat(parked.state()).isEqualTo(JobState.PARKED);
        assertThat(parked.leases().attempt()).isZero();
        assertThat(parked.report().detail()).contains("no handler for 'work'");
    }

    @Test
    void aWorkerThatStartsRevivesWhatWasParkedForWantOfItsHandler() throws Exception {
        JobId plain = plant.enqueue();
        JobId gated = plant.headgate
                .enqueue(WORK, new Plant.Order(2), job -> job.gate("g"))
                .id();
        var unfit = plant.work();
        awaitIdle(unfit);
        unfit.stop();
        assertThat(plant.status(gated).state()).isEqualTo(JobState.PARKED);
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.work();
        assertThat(plant.ended(plain).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.ended(gated).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"number\":\"many\"}", "[1,2]", "null", "{\"number\":99999999999}"})
    void aPayloadThatDoesNotFitIsParked(String json) throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        JobId id = plant.headgate.enqueueJson("work", json, job -> {}).id();
        JobId good = plant.enqueue();
        awaitIdle(plant.work());
        JobStatus parked = plant.status(id);
        assertThat(parked.state()).isEqualTo(JobState.PARKED);
        assertThat(parked.leases().attempt()).isZero();
        assertThat(parked.report().detail()).contains("payload of 'work'");
        assertThat(parked.spec().payload()).isEqualTo(json);
        assertThat(plant.status(good).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aPayloadOfANewerReleaseIsRead() throws Exception {
        plant.headgate.handleWithResult(WORK, (order, job) -> order.number());
        plant.work();
        JobId id = plant.headgate
                .enqueueJson("work", "{\"number\":7,\"currency\":\"EUR\"}", job -> {})
                .id();
        plant.ended(id);
        assertThat(plant.headgate.result(id, Integer.class)).contains(7);
    }

    @Test
    void aParkedJobCanBeTriedByHand() throws Exception {
        JobId id = plant.enqueue();
        var worker = plant.work();
        awaitIdle(worker);
        plant.headgate.handle(WORK, (order, job) -> {});
        assertThat(plant.headgate.retry(id)).isEqualTo(OperationResult.DONE);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
