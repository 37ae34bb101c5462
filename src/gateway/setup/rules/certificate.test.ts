import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateFailure } from './certificate.ts';

/** A line of Traefik 3.7, as `docker compose logs` shows it. */
const line = (error: string) =>
  `traefik-1  | 2026-11-26T12:45:01Z \u001b[31mERR\u001b[0m Unable to obtain ACME certificate for domains \u001b[36merror=\u001b[0m\u001b[31m"unable to generate a certificate for the domains [gateway.pub.test]: error: one or more domains had a problem:\\n[gateway.pub.test] ${error}"\u001b[0m \u001b[36mACME CA=\u001b[0mhttps://127.0.0.1:14000/dir \u001b[36mdomains=\u001b[0m["gateway.pub.test"]`;

test('says in one sentence why there is no certificate, with the words of the authority', () => {
  for (const [error, said] of [
    [
      'acme: error: 403 :: urn:ietf:params:acme:error:unauthorized :: Failed to connect to 203.0.113.9:443 for the tls-alpn-01 challenge]',
      /^the authority does not reach port 443.*tls-alpn-01 challenge\)$/,
    ],
    [
      'acme: error: 400 :: urn:ietf:params:acme:error:malformed :: Could not resolve URL \\"gateway.pub.test\\"]',
      /^the authority does not find the name.*URL "gateway\.pub\.test"\)$/,
    ],
    [
      'acme: error: 429 :: POST :: https://x/new-order :: urn:ietf:params:acme:error:rateLimited :: too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after 2026-11-27 12:34:59 UTC',
      /^a limit of the authority is reached: wait.*retry after 2026-11-27/,
    ],
    [
      'acme: error: 400 :: urn:ietf:params:acme:error:connection :: 203.0.113.5: Timeout during connect (likely firewall problem)',
      /^the authority does not reach port 443/,
    ],
    [
      'acme: error: 400 :: urn:ietf:params:acme:error:dns :: DNS problem: NXDOMAIN looking up A',
      /^the authority does not find the name/,
    ],
    [
      'acme: error: 403 :: urn:ietf:params:acme:error:unauthorized :: 198.51.100.7: Cannot negotiate ALPN protocol "acme-tls/1"',
      /^another server answers the authority/,
    ],
    ['acme: error: 403 :: urn:ietf:params:acme:error:caa :: CAA record for my.org prevents issuance', /^a CAA record/],
    [
      'acme: error: 400 :: urn:ietf:params:acme:error:invalidContact :: contact email has invalid domain',
      /^the authority refuses the mail address/,
    ],
    [
      'get directory at https://x: x509: certificate signed by unknown authority',
      /^this server does not reach the authority/,
    ],
    ['something that nobody has seen', /^the authority gave no certificate/],
  ] as const) {
    const found = certificateFailure(`traefik-1  | starting\n${line(error)}\ntraefik-1  | more`);
    assert.match(found ?? '', said);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
    assert.doesNotMatch(found ?? '', /[\u0000-\u001f]|domains=|ACME CA/);
  }
});

/** An error that the authority has sent. */
const acme = (type: string, detail: string, status = 400) =>
  line(`acme: error: ${status} :: urn:ietf:params:acme:error:${type} :: ${detail}`);
const providers = 'unable to reach: [gateway.pub.test] acme: error presenting token:';

test('names whose fault it is: of this server, of the zone, of the DNS provider, of the record, of the authority', () => {
  for (const [said, lines] of [
    [
      /^this server does not reach the authority/,
      [
        line('get directory at https://x: dial tcp 192.0.2.1:443: connect: connection refused'),
        line('get directory at https://x: dial tcp 192.0.2.1:443: connect: network is unreachable'),
        line('get directory at https://x: dial tcp: lookup x on [::1]:53: read: connection refused'),
        line('get directory at https://x: net/http: TLS handshake timeout'),
        line('get directory at https://x: EOF'),
        line('get directory at https://x: net/http: request canceled while waiting for connection'),
      ],
    ],
    [
      /^the name servers of the domain do not answer the authority: look at DNSSEC/,
      [
        acme('dns', 'DNS problem: SERVFAIL looking up A for busy.test'),
        acme('dns', 'DNS problem: SERVFAIL looking up TXT for _acme-challenge.pub.test'),
        acme('dns', 'DNS problem: query timed out looking up CAA for pub.test'),
        acme('dns', 'DNS problem: looking up A for pub.test: DNSSEC: Bogus'),
        acme('caa', 'While processing CAA for pub.test: DNS problem: SERVFAIL looking up CAA for pub.test', 403),
      ],
    ],
    [
      /^the DNS provider does not publish the TXT record/,
      [
        acme('unauthorized', 'No TXT record found at _acme-challenge.pub.test', 403),
        acme('dns', 'DNS problem: NXDOMAIN looking up TXT for _acme-challenge.pub.test'),
        line(`${providers} cloudflare: failed to find zone pub.test.: [status code 403] 9109: Unauthorized`),
        line('propagation: time limit exceeded: last error: NS ns1:53 returned REFUSED for _acme-challenge.pub.test.'),
        line('cannot get ACME client cloudflare: some credentials information are missing: CF_DNS_API_TOKEN'),
      ],
    ],
    [/^the name has no public address/, [acme('dns', 'no valid A records found for gateway.pub.test')]],
    [/^the authority does not reach port 443/, [acme('connection', '203.0.113.5: Connection refused')]],
    [
      /^another server answers the authority/,
      [
        acme('tls', 'remote error: tls: no application protocol'),
        acme('unauthorized', 'Invalid response from http://gateway.pub.test/x: "<p>TXT: connection refused"', 403),
      ],
    ],
    [
      /^the authority does not know the account/,
      [
        acme('accountDoesNotExist', 'Account "https://x/acct/1" not found'),
        acme('unauthorized', 'Account is not valid, has status "deactivated"', 403),
        acme('malformed', 'Key ID (kid) in JWS header missing expected URL prefix'),
      ],
    ],
    [
      /^the end of the domain is no public one/,
      [acme('rejectedIdentifier', 'does not end with a valid public suffix')],
    ],
    [
      /^what answers is no certificate authority: look at --acme-server/,
      [
        line('acme: error: 404 :: GET :: https://x/dir :: '),
        line("get directory at 'https://x': invalid character '<' looking for beginning of value"),
      ],
    ],
    [
      /^the authority is busy or has a fault: run this again later/,
      [acme('rateLimited', 'Service busy; retry later.', 503), line('acme: error: 502 :: GET :: https://x :: no JSON')],
    ],
    [/^the authority makes no certificates for this domain/, [acme('rejectedIdentifier', 'forbidden by policy')]],
    [/^the authority wants an account/, [acme('externalAccountRequired', 'no binding')]],
  ] as const) {
    for (const one of lines) assert.match(certificateFailure(one) ?? '', said, one);
  }
});

test('takes the latest failure, of any form, and none from a log without one', () => {
  assert.equal(certificateFailure('traefik-1  | Configuration loaded\n'), null);
  const old =
    'level=error msg="Unable to obtain ACME certificate for domains \\"a.org\\": acme: error: 429 :: urn:ietf:params:acme:error:rateLimited" providerName=le.acme';
  assert.match(certificateFailure(`${line('x')}\n${old}`) ?? '', /^a limit of the authority/);
  assert.match(
    certificateFailure('Unable to obtain ACME certificate') ?? '',
    /^the authority gave no certificate \(Unable to obtain/,
  );
});
