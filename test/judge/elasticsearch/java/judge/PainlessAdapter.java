package judge;

import java.util.Collection;
import java.util.List;
import org.elasticsearch.common.settings.Setting;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.painless.PainlessPlugin;
import org.elasticsearch.painless.spi.PainlessExtension;
import org.elasticsearch.plugins.ExtensiblePlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.plugins.ScriptPlugin;
import org.elasticsearch.script.ScriptContext;
import org.elasticsearch.script.ScriptEngine;

/**
 * Painless of 7.10.2 on the 7.17 core. The plugin itself cannot be loaded there, because its REST action needs a class
 * that moved in 7.16; its script engine can.
 */
public final class PainlessAdapter extends Plugin implements ScriptPlugin {
    private final PainlessPlugin painless = new PainlessPlugin();

    @Override
    public List<Setting<?>> getSettings() {
        return painless.getSettings();
    }

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        painless.loadExtensions(new ExtensiblePlugin.ExtensionLoader() {
            @Override
            public <T> List<T> loadExtensions(Class<T> kind) {
                return kind == PainlessExtension.class ? List.of(kind.cast(new RuntimeFieldScripts())) : List.of();
            }
        });
        return painless.getScriptEngine(settings, contexts);
    }
}
