import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containersOf, listenersOf, type Part, portProblems, withContainers } from './listeners.ts';

const none = new Set<Part>();
const problems = (output: string, running: ReadonlySet<Part> = none) => portProblems(listenersOf(output), running);

test('names who holds a port that the gateway needs', () => {
  for (const [line, said] of [
    [
      'tcp   LISTEN 0      511          0.0.0.0:80        0.0.0.0:*    users:(("nginx",pid=12,fd=6),("nginx",pid=11,fd=6))',
      /^port 80\/tcp, which traefik needs, is taken by nginx:/,
    ],
    ['tcp LISTEN 0 4096 *:443 *:* users:(("docker-proxy",pid=9,fd=4))', /^port 443\/tcp.*docker-proxy/],
    ['udp UNCONN 0 0 0.0.0.0:51820 0.0.0.0:*', /^port 51820\/udp.*the kernel \(WireGuard\)/],
    ['tcp LISTEN 0 4096 [::]:80 [::]:*', /a program that is not shown/],
    [
      'tcp LISTEN 0 10 127.0.0.1:8080 0.0.0.0:* users:(("java",pid=1,fd=1))',
      /^port 8080\/tcp, which gateway needs.*java/,
    ],
    ['tcp LISTEN 0 10 [::ffff:127.0.0.1]:51821 *:* users:(("node",pid=1,fd=1))', /^port 51821\/tcp, which wg-easy/],
  ] as const) {
    const found = problems(line);
    assert.equal(found.length, 1, line);
    assert.match(found[0] ?? '', said);
  }
});

test('leaves other ports, other addresses and its own parts alone', () => {
  for (const line of [
    '',
    'Netid State Recv-Q Send-Q Local Address:Port',
    'udp UNCONN 0 0 127.0.0.53%lo:53 0.0.0.0:*',
    'udp UNCONN 0 0 0.0.0.0:443 0.0.0.0:* users:(("caddy",pid=1,fd=1))',
    'tcp LISTEN 0 10 192.168.1.2:8080 0.0.0.0:* users:(("java",pid=1,fd=1))',
    'tcp LISTEN 0 10 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=1,fd=1))',
  ]) {
    assert.deepEqual(problems(line), [], line);
  }
  assert.deepEqual(problems('tcp LISTEN 0 9 *:443 *:* users:(("traefik",pid=1,fd=1))', new Set<Part>(['traefik'])), []);
});

test('names the container that holds a port, with a process of its own or by Docker', () => {
  const inside = 'a'.repeat(64);
  const containers = containersOf(
    [
      `${inside}\tproxy\t`,
      `${'b'.repeat(64)}\tweb\t0.0.0.0:79-81->79-81/tcp, [::]:79-81->79-81/tcp, 90/tcp`,
      `${'c'.repeat(64)}\ttunnels\t0.0.0.0:51820->51820/udp`,
      `${'d'.repeat(64)}\tlocal\t192.0.2.1:8080->80/tcp`,
      '',
    ].join('\n'),
  );
  const sockets = [
    'tcp LISTEN 0 9 0.0.0.0:80 0.0.0.0:* users:(("docker-proxy",pid=9,fd=4))',
    'tcp LISTEN 0 9 *:443 *:* users:(("nginx",pid=12,fd=6))',
    'udp UNCONN 0 0 0.0.0.0:51820 0.0.0.0:*',
    'tcp LISTEN 0 9 127.0.0.1:8082 *:* users:(("java",pid=13,fd=6))',
  ].join('\n');
  const found = withContainers(listenersOf(sockets), containers, (pid) => (pid === 12 ? inside : null));
  assert.deepEqual(
    portProblems(found, none).map((one) => /^port (\d+)\/.* is taken by (.*):/.exec(one)?.slice(1)),
    [
      ['80', 'the container web'],
      ['443', 'the container proxy'],
      ['51820', 'the container tunnels'],
      ['8082', 'java'],
    ],
  );
});
