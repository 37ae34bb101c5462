import { shownName } from '../../../lib/shown-text.ts';

export type StoreAddress = { kind: 'git' | 'folder'; address: string };

/** An address that cannot be one of a store. `fault` goes on after "this is no address of a store:". */
export type AddressFault = { fault: string };

const longest = 2048;
const expected = 'expected https:// and the address of a git repository, or the absolute path of a folder';

export function readStoreAddress(typed: string): StoreAddress | AddressFault {
  const text = typed.trim();
  if (text.length > longest) return { fault: `it has more than ${longest} characters` };
  if (/\p{Cc}/u.test(text)) return { fault: 'it has control characters' };
  if (text.startsWith('/')) {
    const parts = text.split('/').filter((part) => part !== '' && part !== '.');
    return { kind: 'folder', address: `/${parts.join('/')}` };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    return { fault: `${expected}; found ${shownName(text) || 'nothing'}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'it has a user name or a password, and boxgate reads public stores only' };
  }
  if (url.search !== '' || url.hash !== '') return { fault: `${expected}, without ? and #` };
  if (isLinkLocal(url.hostname)) return { fault: `${url.hostname} is an address of this machine's network card alone` };
  return { kind: 'git', address: url.href.replace(/(?<!\/)\/+$/, '') };
}

/** Such addresses have the secrets of a rented machine. */
function isLinkLocal(host: string): boolean {
  return /^169\.254\.|^\[fe[89ab]|^\[::ffff:a9fe:/i.test(host) || /^metadata\.google\.internal\.?$/.test(host);
}

/** A name for the store, from the end of its address: `CasaOS-AppStore` becomes `casaos`. */
export function storeNameOf({ address }: StoreAddress): string {
  const last = address.split('/').findLast((part) => part !== '') ?? '';
  const plain = last
    .replace(/\.git$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-?app-?store$/, '')
    .replaceAll(/^-|-$/g, '');
  return isStoreName(plain) ? plain : 'store';
}

/** Lower-case letters, digits and `-`, so that a copy's folder is never a path. */
export function isStoreName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);
}
