package judge;

import java.util.List;
import java.util.Map;
import org.elasticsearch.painless.spi.PainlessExtension;
import org.elasticsearch.painless.spi.Whitelist;
import org.elasticsearch.painless.spi.WhitelistLoader;
import org.elasticsearch.script.BooleanFieldScript;
import org.elasticsearch.script.CompositeFieldScript;
import org.elasticsearch.script.DateFieldScript;
import org.elasticsearch.script.DoubleFieldScript;
import org.elasticsearch.script.GeoPointFieldScript;
import org.elasticsearch.script.IpFieldScript;
import org.elasticsearch.script.LongFieldScript;
import org.elasticsearch.script.ScriptContext;
import org.elasticsearch.script.StringFieldScript;

/** Gives the scripts of runtime fields, which are newer than this Painless, their "emit". */
final class RuntimeFieldScripts implements PainlessExtension {
    @Override
    public Map<ScriptContext<?>, List<Whitelist>> getContextWhitelists() {
        return Map.of(
            BooleanFieldScript.CONTEXT, emit("boolean_field"),
            CompositeFieldScript.CONTEXT, emit("composite_field"),
            DateFieldScript.CONTEXT, emit("date_field"),
            DoubleFieldScript.CONTEXT, emit("double_field"),
            GeoPointFieldScript.CONTEXT, emit("geo_point_field"),
            IpFieldScript.CONTEXT, emit("ip_field"),
            StringFieldScript.CONTEXT, emit("keyword_field"),
            LongFieldScript.CONTEXT, emit("long_field")
        );
    }

    private static List<Whitelist> emit(String context) {
        return List.of(WhitelistLoader.loadFromResourceFiles(RuntimeFieldScripts.class, context + ".txt"));
    }
}
