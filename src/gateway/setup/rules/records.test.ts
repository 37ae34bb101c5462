import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReserved, type NameFacts, nameReport } from './records.ts';

const domain = 'my.org';
const own = ['203.0.113.5', '10.0.0.4'];

/** Both names with the same records, unless others are given. */
function report(addresses: readonly string[], more: Partial<NameFacts> = {}) {
  const records = [`gateway.${domain}`, `check.${domain}`].map((name) => ({ name, addresses, problem: null }));
  return nameReport({ domain, records, own, proven: [], couldProve: true, ...more });
}

test('names that lead to this server are well, with any family and behind translated addresses', () => {
  assert.deepEqual(report(['203.0.113.5']), { problems: [], notes: [], record: null });
  const both = { own: [...own, '2001:db8::5'] };
  assert.deepEqual(report(['203.0.113.5', '2001:db8::5'], both).problems, []);
  assert.deepEqual(report(['198.51.100.7'], { own: ['10.0.0.4'], proven: ['198.51.100.7'] }).problems, []);
});

test('says what a record has wrong, and which one is needed', () => {
  for (const [addresses, more, said] of [
    [[], {}, /^gateway\.my\.org has no address$/],
    [['198.51.100.7'], {}, /leads to 198\.51\.100\.7, which is not this server \(203\.0\.113\.5\): correct/],
    [['203.0.113.5', '198.51.100.7'], {}, /leads to 198\.51\.100\.7, one of its 2 addresses, which/],
    [['127.0.0.1'], { couldProve: false }, /leads to 127\.0\.0\.1/],
    // This server's own ones, too.
    [['10.0.0.4'], {}, /leads to 10\.0\.0\.4, which is an address of no public network: correct the A record/],
    [
      ['172.17.0.1'],
      { own: ['172.17.0.1'], proven: ['172.17.0.1'] },
      /172\.17\.0\.1, which is an address of no public/,
    ],
  ] as const) {
    const { problems, record, notes } = report(addresses, more);
    assert.match(problems[0] ?? '', said);
    assert.equal(problems.length, 2, 'the wildcard, too');
    assert.match(problems[1] ?? '', /^\*\.my\.org /);
    assert.match(record ?? '', /^\*\.my\.org {2}A {2}/);
    assert.deepEqual(notes, []);
  }
  assert.match(report([], { own: ['10.0.0.4'] }).record ?? '', /public IPv4 address/);
  assert.equal(report([], { own: ['2001:db8::5'] }).record, '*.my.org  AAAA  2001:db8::5');
});

test('a wrong record beside a right one is the record that is named', () => {
  const beside = (six: string, more: Partial<NameFacts> = {}) => report(['203.0.113.5', six], more);
  for (const six of ['2001:db8::9', 'fd00::5']) {
    const { problems, record } = beside(six);
    assert.match(problems[0] ?? '', new RegExp(`leads to ${six}, one of its 2 .*the AAAA record, or remove it$`));
    assert.equal(record, null);
    assert.equal(beside(six, { own: [...own, '2001:db8::5'] }).record, '*.my.org  AAAA  2001:db8::5');
  }
  const records = [
    { name: 'gateway.my.org', addresses: ['198.51.100.7'], problem: null },
    { name: 'check.my.org', addresses: ['203.0.113.5'], problem: null },
  ];
  assert.equal(report([], { records }).record, 'gateway.my.org  A  203.0.113.5');
});

test('an address at which the server did not reach itself may be its own behind a cloud, or that of a proxy', () => {
  const cloud = report(['198.51.100.7'], { own: ['10.0.0.4', '2001:db8::5'] });
  assert.match(cloud.problems[0] ?? '', /did not reach itself: open 80\/tcp .* --public-host 198\.51\.100\.7$/);
  const proxied = report(['198.51.100.7'], { proxied: ['198.51.100.7'] });
  assert.match(proxied.problems[0] ?? '', /leads to 198\.51\.100\.7, where a proxy stands before this server/);
  assert.match(
    report(['2001:db8::9'], { own: [] }).problems[0] ?? '',
    /::9, which is not this server: correct the AAAA/,
  );
  for (const { record } of [cloud, proxied]) assert.equal(record, null);
});

test('a resolver may remember that there was no record', () => {
  const absent = (rememberedSeconds: number | null) => ({
    name: 'gateway.my.org',
    ...{ addresses: [], problem: null, rememberedSeconds },
  });
  assert.match(
    report([], { records: [absent(90)] }).problems[0] ?? '',
    /has no address; .* remember for 2 minutes that/,
  );
  assert.match(report([], { records: [absent(null)] }).problems[0] ?? '', /remember for an hour or more that/);
  const wildcard = { name: 'check.my.org', addresses: ['203.0.113.5'], problem: null };
  assert.equal(report([], { records: [absent(90), wildcard] }).record, null);
});

test('only one of the two names may be missing', () => {
  const records = [
    { name: 'gateway.my.org', addresses: ['203.0.113.5'], problem: null },
    { name: 'check.my.org', addresses: [], problem: null },
  ];
  assert.deepEqual(report([], { records }).problems, ['*.my.org has no address']);
});

test('a resolver that fails is not a missing record', () => {
  const records = [{ name: 'gateway.my.org', addresses: [], problem: 'ESERVFAIL' }];
  const { problems, record } = report([], { records });
  assert.match(problems[0] ?? '', /does not answer for gateway\.my\.org \(ESERVFAIL\)/);
  assert.equal(record, null);
});

test('notes what is reached over one family only, and what it could not look at', () => {
  const six = '2001:db8::5';
  assert.match(report([six], { own: [six] }).notes[0] ?? '', /IPv6 addresses only.*this gateway$/);
  assert.match(report([six], { own: [...own, six] }).notes[0] ?? '', /IPv6 addresses only.*A {2}203\.0\.113\.5$/);
  assert.match(
    report(['203.0.113.5'], { own: [...own, six] }).notes[0] ?? '',
    /AAAA {2}2001:db8::5 {2}\(an app .* --allow/,
  );
  assert.match(
    report(['198.51.100.7'], { couldProve: false }).notes[0] ?? '',
    /198\.51\.100\.7 leads here is not looked at/,
  );
});

test('knows the addresses that the internet does not reach', () => {
  const reserved =
    '10.1.2.3 127.0.0.1 169.254.1.1 192.168.1.1 192.0.0.8 198.18.0.1 224.0.0.1 255.255.255.255 172.16.0.1 172.31.0.1 100.64.0.1 100.127.0.1 0.0.0.0 ::1 fe80::1 fd00::1';
  for (const address of reserved.split(' ')) assert.equal(isReserved(address), true, address);
  for (const address of ['203.0.113.5', '172.32.0.1', '100.128.0.1', '2001:db8::1', '2a01:4f8::1']) {
    assert.equal(isReserved(address), false, address);
  }
});
