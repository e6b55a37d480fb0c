/** Width of a text in Han widths: a Han character is 1, a Latin letter or digit about half. */
export function hanWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

export function characterWidth(character: string): number {
  return /[\u1100-\u115f\u2e80-\uffdc]/.test(character) || (character.codePointAt(0) ?? 0) > 0xffff ? 1 : 0.55
}
