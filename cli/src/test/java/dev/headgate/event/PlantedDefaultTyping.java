package dev.headgate.event;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** A planted fault: JSON that names the classes to make of it. */
public final class PlantedDefaultTyping {
    public JsonMapper mapper() {
        return JsonMapper.builder()
                .activateDefaultTyping(BasicPolymorphicTypeValidator.builder()
                        .allowIfBaseType(Object.class)
                        .build())
                .build();
    }
}
