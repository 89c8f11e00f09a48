package judge;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.security.OpenSearchSecurityPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One OpenSearch node with users and roles on the loopback interface. The only argument is its home directory, whose
 * folder "config" holds opensearch.yml, a certificate, and users and roles. Prints "listening PORT" when it can be asked.
 */
public final class SecuredOpenSearchJudge extends Node {
    private static final List<Class<? extends Plugin>> PLUGINS = List.of(
        Netty4Plugin.class,
        PainlessPlugin.class,
        ReindexPlugin.class,
        OpenSearchSecurityPlugin.class
    );

    private SecuredOpenSearchJudge(Environment environment, Collection<Class<? extends Plugin>> plugins) {
        super(environment, plugins, false);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Lifeline.hold(home);
        LogConfigurator.registerErrorListener();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings(home), Map.of(), null, () -> "judge");
        Node node = new SecuredOpenSearchJudge(environment, PLUGINS).start();
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        System.out.println("listening " + port);
    }

    /** The types of transport and HTTP are the security plugin's to choose. */
    private static Settings settings(Path home) {
        return Settings.builder()
            .put("path.home", home.toString())
            .put("cluster.name", "judge")
            .put("node.name", "judge")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("indices.breaker.total.use_real_memory", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    }
}
