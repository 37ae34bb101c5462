/** The headers of a file that a browser only saves (RFC 6266). Old clients get its name in ASCII, others in UTF-8. */
export function attachmentHeaders(name: string): Record<string, string> {
  const plain = name.replaceAll(/[^\w .()-]/g, '_');
  const coded = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, percentCode);
  return {
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${coded}`,
    'Content-Security-Policy': 'sandbox',
  };
}

function percentCode(one: string): string {
  return `%${one.charCodeAt(0).toString(16).toUpperCase()}`;
}
