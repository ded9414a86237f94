import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formTexts } from '../../../../texts/admin/forms.ts';

/** From this share of the limit on the count is shown. */
const NEAR = 0.8;

/** How much of a field's room is used, once the end is near. */
function Count({ text, max }: { text: string; max: number }) {
  if (text.length < max * NEAR) return null;
  return (
    <Text span size="xs" c={text.length >= max ? 'red' : 'dimmed'} ta="right" display="block">
      {formTexts.count(text.length, max)}
    </Text>
  );
}

/** An input's `inputContainer` that counts below it. */
export function countBelow(text: string, max: number): (input: ReactNode) => ReactNode {
  return (input) => (
    <>
      {input}
      <Count text={text} max={max} />
    </>
  );
}
