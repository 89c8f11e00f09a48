-- A web access log of the last seven days, made up by ClickHouse at the first start.
CREATE TABLE IF NOT EXISTS default.access_log
(
    "@timestamp" DateTime64(3) CODEC(Delta, ZSTD),
    host LowCardinality(String),
    method LowCardinality(String),
    path String,
    status UInt16,
    bytes UInt64,
    latency_ms Float64,
    client_ip IPv4,
    referer Nullable(String),
    message String,
    tags Array(String),
    labels Map(String, String)
)
ENGINE = MergeTree
PARTITION BY toDate("@timestamp")
ORDER BY ("@timestamp", host);

INSERT INTO default.access_log
WITH
    cityHash64(number, 'host') / pow(2, 64) AS r_host,
    cityHash64(number, 'status') / pow(2, 64) AS r_status,
    cityHash64(number, 'path') / pow(2, 64) AS r_path,
    cityHash64(number, 'latency') / pow(2, 64) AS r_latency
SELECT
    now64(3) - toIntervalMillisecond(toInt64(7 * 86400000 * (number + r_host) / 1000000)),
    ['web-01', 'web-02', 'web-03', 'api-01', 'api-02', 'static-01'][toUInt8(6 * r_host * r_host) + 1] AS host,
    if(r_path < 0.85, 'GET', 'POST') AS method,
    concat('/products/', toString(toUInt32(1 / (r_path + 0.001)))) AS path,
    multiIf(r_status < 0.9, 200, r_status < 0.94, 304, r_status < 0.98, 404, 503) AS status,
    toUInt64(200 + exp(6 + 4 * r_latency)),
    round(2 + exp(2.5 + 3 * r_latency), 3),
    toIPv4(toUInt32(169082880 + 5000 * r_path * r_host)),
    if(r_status < 0.4, NULL, 'https://www.example.com/'),
    concat(method, ' ', path, ' ', toString(status), if(status = 503, ' upstream failed: connection refused', '')),
    if(status >= 500, ['error'], emptyArrayString()),
    map('team', if(host LIKE 'api%', 'platform', 'shop'))
FROM numbers(1000000);
