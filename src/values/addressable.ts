/** A path or query as a valid part of a URI reference: curl sends `age>=18` and `[a-c]` as they are. */
export const addressable = (text: string): string =>
  unaddressable.test(text) ? text.replace(unaddressables, percentEncode) : text

// RFC 3986 §3.3, §3.4: whatever is no pchar, `/`, `?` or escape.
const unaddressable = /[^\w\-.~!$&'()*+,;=:@/?%]|%(?![\da-fA-F]{2})/
const unaddressables = new RegExp(unaddressable, 'g')

// Node hands on a byte beyond ASCII as the character of that number.
const percentEncode = (character: string): string =>
  `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`
