/** The subdomain of the gateway's own API, as deploy/gateway/ serves it. */
const ownSubdomain = 'gateway';

/** Whether no box may publish the subdomain. choice/gateway/310 */
export function isReserved(subdomain: string, reserved: readonly string[]): boolean {
  return subdomain === ownSubdomain || reserved.includes(subdomain);
}
