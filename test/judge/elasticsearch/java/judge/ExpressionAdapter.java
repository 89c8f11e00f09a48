package judge;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.plugins.ScriptPlugin;
import org.elasticsearch.script.BucketAggregationScript;
import org.elasticsearch.script.BucketAggregationSelectorScript;
import org.elasticsearch.script.ScriptContext;
import org.elasticsearch.script.ScriptEngine;
import org.elasticsearch.script.expression.ExpressionScriptEngine;

/** Expressions of 7.10.2 for bucket scripts alone: other contexts call a method that 7.17 no longer has. */
public final class ExpressionAdapter extends Plugin implements ScriptPlugin {
    private static final Set<ScriptContext<?>> CONTEXTS = Set.of(
        BucketAggregationScript.CONTEXT,
        BucketAggregationSelectorScript.CONTEXT
    );

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        return new BucketExpressions();
    }

    private static final class BucketExpressions implements ScriptEngine {
        private final ExpressionScriptEngine expressions = new ExpressionScriptEngine();

        @Override
        public String getType() {
            return expressions.getType();
        }

        @Override
        public <T> T compile(String name, String code, ScriptContext<T> context, Map<String, String> parameters) {
            if (!CONTEXTS.contains(context)) {
                throw new IllegalArgumentException("the judge runs expressions in bucket scripts only, not in [" + context.name + "]");
            }
            return expressions.compile(name, code, context, parameters);
        }

        @Override
        public Set<ScriptContext<?>> getSupportedContexts() {
            return CONTEXTS;
        }
    }
}
