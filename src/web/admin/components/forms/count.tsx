import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formTexts } from '../../../../texts/admin/forms.ts';

/** Share of the limit from which the count is shown. */
const NEAR = 0.8;

/** Characters used of the limit, shown when the limit is near. */
function Count({ text, max }: { text: string; max: number }) {
  if (text.length < max * NEAR) return null;
  return (
    <Text span size="xs" c={text.length >= max ? 'red' : 'dimmed'} ta="right" display="block">
      {formTexts.count(text.length, max)}
    </Text>
  );
}

/** Returns an `inputContainer` that shows the count below the input. */
export function countBelow(text: string, max: number): (input: ReactNode) => ReactNode {
  return (input) => (
    <>
      {input}
      <Count text={text} max={max} />
    </>
  );
}
