import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTraffic, trafficOf } from './route-traffic.ts';

const text = `# HELP traefik_router_requests_total How many HTTP requests are processed on a router.
# TYPE traefik_router_requests_total counter
traefik_router_requests_total{code="200",method="GET",protocol="http",router="boxgate-rt_a@file",service="boxgate-rt_a@file"} 7
traefik_router_requests_total{code="401",method="GET",protocol="http",router="boxgate-rt_a@file",service="boxgate-rt_a@file"} 2
traefik_router_requests_total{code="200",method="PUT",protocol="http",router="boxgate-rt_a-open@file",service="boxgate-rt_a@file"} 1
traefik_router_requests_bytes_total{code="200",method="GET",protocol="http",router="boxgate-rt_a@file",service="x"} 1.5e+06
traefik_router_responses_bytes_total{code="200",method="GET",protocol="http",router="boxgate-rt_a@file",service="x"} 12
traefik_router_responses_bytes_total{code="200",method="GET",router="boxgate-rt_b@file"} NaN
traefik_router_open_connections{method="GET",router="boxgate-rt_b@file"} 4
traefik_router_requests_total 4
traefik_router_requests_total{router="unended
`;

test('sums the counters of a route over codes, methods and its paths without a login', () => {
  const traffic = parseTraffic(text);
  assert.deepEqual(trafficOf({ id: 'rt_a' }, traffic), { requests: 10, received: 1_500_000, sent: 12 });
  assert.equal(trafficOf({ id: 'rt_b' }, traffic), null);
  assert.equal(trafficOf({ id: 'rt_' }, traffic), null);
});
