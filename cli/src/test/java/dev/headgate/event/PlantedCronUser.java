package dev.headgate.event;

import com.cronutils.model.Cron;

/** A planted fault: the cron library outside of schedules. */
public interface PlantedCronUser {
    void use(Cron cron);
}
