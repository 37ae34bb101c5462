import { BlockList, isIP } from 'node:net';
import { compareSync } from 'bcryptjs';
import type { AddressFields, BasicAuthFields, MiddlewareFields } from './shape-of-file.ts';

/** What a middleware sees of a request: the address of the connection, and the `Authorization` header. */
export type Visitor = { address: string; authorization: string };

/** A middleware that lets a request through, or does not. `hidesLogin`: the app does not get the header. */
export type Guard = { refuses: (visitor: Visitor) => Refused | null; hidesLogin: boolean };

export type Refused = { why: 'address' } | { why: 'login'; realm: string };

/** @throws Error with the reason why a router with this middleware is disabled */
export function guardOf(name: string, fields: MiddlewareFields): Guard {
  if (Object.keys(fields).length > 1) {
    const advice = 'consider declaring two different pieces of middleware instead';
    throw new Error(`cannot create middleware: multi-types middleware not supported, ${advice}`);
  }
  const { basicAuth, ipAllowList = fields.ipWhiteList } = fields;
  if (basicAuth !== undefined) return loginGuard(basicAuth);
  if (ipAllowList !== undefined) return addressGuard(ipAllowList);
  throw new Error(`middleware "${name}@file" is not served by this fake`);
}

function loginGuard({ users = [], removeHeader = false, realm = 'traefik', ...more }: BasicAuthFields): Guard {
  refuseUnserved(more);
  if (users.length === 0) throw new Error('no users found in ');
  const hashes = new Map(users.map(hashOfUser));
  const isRight = (authorization: string) => {
    const [, encoded = ''] = /^Basic (.*)$/.exec(authorization) ?? [];
    const [, login = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    const hash = hashes.get(login) ?? '';
    return isBcrypt(hash) && compareSync(password, hash);
  };
  return {
    refuses: ({ authorization }) => (isRight(authorization) ? null : { why: 'login', realm }),
    hidesLogin: removeHeader,
  };
}

function hashOfUser(user: string): [login: string, hash: string] {
  const [login = '', hash, ...more] = user.split(':');
  if (hash === undefined || more.length > 0) throw new Error(`error parsing BasicUser: ${user}`);
  if (/^(?:\$apr1\$|\$1\$|\{SHA\})/.test(hash)) throw new Error('only bcrypt hashes are served by this fake');
  return [login, hash];
}

function isBcrypt(hash: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash);
}

function addressGuard({ sourceRange = [], ...more }: AddressFields): Guard {
  refuseUnserved(more);
  if (sourceRange.length === 0) throw new Error('sourceRange is empty, IPAllowLister not created');
  const allowed = new BlockList();
  for (const range of sourceRange) {
    try {
      const [network = '', length = isIP(network) === 4 ? 32 : 128] = range.split('/');
      allowed.addSubnet(network, Number(length), family(network));
    } catch {
      const reason = `parsing CIDR trusted IPs <nil>: invalid CIDR address: ${range}`;
      throw new Error(`cannot parse CIDRs [${sourceRange.join(' ')}]: ${reason}`);
    }
  }
  return {
    refuses: ({ address }) => (allowed.check(address, family(address)) ? null : { why: 'address' }),
    hidesLogin: false,
  };
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function refuseUnserved(fields: object): void {
  const [name] = Object.keys(fields);
  if (name !== undefined) throw new Error(`${name} is not served by this fake`);
}
