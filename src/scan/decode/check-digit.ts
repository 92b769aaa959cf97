/** GS1 General Specifications 7.9: weights 3 and 1 from the right, modulo 10. The last digit is the check digit. */
export function hasCheckDigit(digits: string, length = digits.length): boolean {
  let sum = 0;
  for (let index = 0; index < length; index += 1) {
    sum += (digits.charCodeAt(length - 1 - index) - 0x30) * (index % 2 === 0 ? 1 : 3);
  }
  return sum % 10 === 0;
}
