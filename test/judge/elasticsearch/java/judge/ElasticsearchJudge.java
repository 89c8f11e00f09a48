package judge;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.index.mapper.MapperExtrasPlugin;
import org.elasticsearch.join.ParentJoinPlugin;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.reindex.ReindexPlugin;
import org.elasticsearch.script.mustache.MustachePlugin;
import org.elasticsearch.search.aggregations.matrix.MatrixAggregationPlugin;
import org.elasticsearch.transport.Netty4Plugin;

/**
 * One Elasticsearch node on the loopback interface. The only argument is its home directory, which holds a folder
 * "config". Prints "listening PORT" when it can be asked.
 */
public final class ElasticsearchJudge extends Node {
    private static final List<Class<? extends Plugin>> PLUGINS = List.of(
        Netty4Plugin.class,
        MapperExtrasPlugin.class,
        ParentJoinPlugin.class,
        MustachePlugin.class,
        ReindexPlugin.class,
        MatrixAggregationPlugin.class,
        PainlessAdapter.class,
        ExpressionAdapter.class
    );

    private ElasticsearchJudge(Environment environment, Collection<Class<? extends Plugin>> plugins) {
        super(environment, plugins, false);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Lifeline.hold(home);
        LogConfigurator.registerErrorListener();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(settings(home), Map.of(), null, () -> "judge");
        Node node = new ElasticsearchJudge(environment, PLUGINS).start();
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        System.out.println("listening " + port);
    }

    private static Settings settings(Path home) {
        return Settings.builder()
            .put("path.home", home.toString())
            .put("cluster.name", "judge")
            .put("node.name", "judge")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("indices.breaker.total.use_real_memory", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    }
}
