/** Texts that some JSON parsers accept although they are not JSON. */
export const almostJson = [
  '{"name":NaN}',
  '{"name":Infinity}',
  '{"name":-Infinity}',
  '{"name":"a\nb"}',
  '{"name":"x"}{"name":"y"}',
];

/** The text in the encodings that some JSON parsers detect. */
export function encodings(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const utf16Big = Buffer.from(utf16).swap16();
  const utf32 = Buffer.concat([...text].map((character) => Buffer.from([character.charCodeAt(0), 0, 0, 0])));
  const utf32Big = Buffer.from(utf32).swap32();
  const marked = [
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), utf16Big]),
  ];
  return [utf16, utf16Big, utf32, utf32Big, ...marked];
}
