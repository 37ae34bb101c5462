/**
 * The words that Traefik accepts inside a template `{{ }}`: keywords and functions of Go templates, functions of the
 * library sprig, and two of Traefik. Traefik rejects a file with any other word before it runs the template.
 */
export const templateWords: ReadonlySet<string> = new Set(
  `
  if else end range with define template block break continue nil true false
  and or not len index slice print printf println html js urlquery call eq ne lt le gt ge
  normalize split env expandenv getHostByName hello
  ago date date_in_zone date_modify dateInZone dateModify duration durationRound htmlDate htmlDateInZone
  must_date_modify mustDateModify mustToDate now toDate unixEpoch
  abbrev abbrevboth trunc trim upper lower title untitle substr repeat trimall trimAll trimSuffix trimPrefix nospace
  initials randAlphaNum randAlpha randAscii randNumeric swapcase shuffle snakecase camelcase kebabcase wrap wrapWith
  contains hasPrefix hasSuffix quote squote cat indent nindent replace plural sha1sum sha256sum sha512sum adler32sum
  toString atoi int64 int float64 seq toDecimal splitList splitn toStrings until untilStep
  add1 add sub div mod mul randInt add1f addf subf divf mulf biggest max min maxf minf ceil floor round join sortAlpha
  default empty coalesce all any compact mustCompact fromJson toJson toPrettyJson toRawJson mustFromJson mustToJson
  mustToPrettyJson mustToRawJson ternary deepCopy mustDeepCopy typeOf typeIs typeIsLike kindOf kindIs deepEqual
  base dir clean ext isAbs osBase osClean osDir osExt osIsAbs b64enc b64dec b32enc b32dec
  tuple list dict get set unset hasKey pluck keys pick omit merge mergeOverwrite mustMerge mustMergeOverwrite values
  append push mustAppend mustPush prepend mustPrepend first mustFirst rest mustRest last mustLast initial mustInitial
  reverse mustReverse uniq mustUniq without mustWithout has mustHas mustSlice concat dig chunk mustChunk
  bcrypt htpasswd genPrivateKey derivePassword buildCustomCert genCA genCAWithKey genSelfSignedCert
  genSelfSignedCertWithKey genSignedCert genSignedCertWithKey encryptAES decryptAES randBytes uuidv4
  semver semverCompare fail regexMatch mustRegexMatch regexFindAll mustRegexFindAll regexFind mustRegexFind
  regexReplaceAll mustRegexReplaceAll regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit
  regexQuoteMeta urlParse urlJoin
  `
    .trim()
    .split(/\s+/),
);
