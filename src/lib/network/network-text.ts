const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IP address, perhaps with the length of a prefix. */
export function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const longest = ipv4.test(address) ? 32 : address.includes(':') && URL.canParse(`http://[${address}]`) ? 128 : -1;
  return Number(length ?? longest) <= longest && longest > 0;
}
