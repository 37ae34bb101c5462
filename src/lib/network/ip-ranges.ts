import { BlockList, isIP } from 'node:net';

export function isIpAddress(text: string): boolean {
  return isIP(text) !== 0;
}

/**
 * Makes the test whether an address is in one of these ranges, such as `10.0.0.0/8`. An address of IPv4 counts also
 * within one of IPv6: mapped, or behind a translation (NAT64).
 */
export function inRanges(...ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    if (network.includes(':')) list.addSubnet(network, Number(bits), 'ipv6');
    else {
      list.addSubnet(network, Number(bits), 'ipv4');
      list.addSubnet(`64:ff9b::${network}`, 96 + Number(bits), 'ipv6');
    }
  }
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}
