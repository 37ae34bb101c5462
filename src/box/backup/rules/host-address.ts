/** Which IP addresses backups may go to. */
import { inRanges, isIpAddress } from '../../../lib/network/ip-ranges.ts';

const isOwn = inRanges('0.0.0.0/8', '127.0.0.0/8', '::/128', '::1/128');
/** Link-local and multicast addresses, and those of clouds that lie elsewhere: Azure, Alibaba, Oracle, Amazon. */
const isMetadata = inRanges(
  ...['169.254.0.0/16', '224.0.0.0/3', 'fe80::/10', 'ff00::/8'],
  ...['168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', 'fd00:ec2::254/128'],
);
const isPrivate = inRanges('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7');

/** Why backups may not go to this address, such as one at which a rented machine finds its secrets; `null` if they may. */
export function addressProblem(address: string): string | null {
  if (isOwn(address)) return 'it is an address of this box itself';
  return !isIpAddress(address) || isMetadata(address) ? 'no backup server has such an address' : null;
}

/** Whether an address is a private one, which no packet leaves the home network for. */
export function isInHomeNetwork(address: string): boolean {
  return addressProblem(address) === null && isPrivate(address);
}
