import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type Ref, useId } from 'react';
import type { Dress } from '../../../../../domain/dresses.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import styles from './card.module.css';
import { type Glow, type Ink, type Mark, SHEET, type Shape, type TextLine } from './drawing.ts';

type CardProps = {
  marks: readonly Mark[];
  /** Content of the card for screen readers. */
  spokenText: string;
  dress: Dress;
  ref?: Ref<HTMLElement>;
};

/** The card, scaled to its container. Printed on A6 it has its true size. */
export function Card({ marks, spokenText, dress, ref }: CardProps) {
  const id = useId();
  return (
    <article ref={ref} className={styles.card} data-dress={dress} aria-label={tokensTexts.card.action}>
      <VisuallyHidden>{spokenText}</VisuallyHidden>
      <svg viewBox={`0 0 ${SHEET.width} ${SHEET.height}`} className={styles.drawing} aria-hidden="true">
        {/* The marks never change their order. */}
        {marks.map((mark, index) =>
          mark.kind === 'line' ? (
            <Text key={index} {...mark} />
          ) : (
            <Path key={index} shape={mark} id={`${id}${index}`} />
          ),
        )}
      </svg>
    </article>
  );
}

const token = (ink: Ink) => `var(--${ink})`;

function Path({ shape: { d, at, fill, line, opacity }, id }: { shape: Shape; id: string }) {
  const style: CSSProperties = {
    fill: fill === undefined ? 'none' : typeof fill === 'string' ? token(fill) : `url("#${id}")`,
    stroke: line === undefined ? 'none' : token(line.ink),
    strokeWidth: line?.width ?? 0,
    opacity: opacity ?? 1,
  };
  return (
    <g transform={`translate(${at.x} ${at.y}) scale(${at.scale})`}>
      {typeof fill === 'object' && <Light id={id} {...fill} />}
      <path d={d} style={style} />
    </g>
  );
}

function Light({ id, x, y, radius, stops }: Glow & { id: string }) {
  return (
    <radialGradient id={id} gradientUnits="userSpaceOnUse" cx={x} cy={y} r={radius}>
      {stops.map(([at, ink]) => (
        <stop key={at} offset={at} style={{ stopColor: token(ink) }} />
      ))}
    </radialGradient>
  );
}

function Text({ text, x, y, size, weight, italic, letterSpacing, ink }: TextLine) {
  return (
    <text
      // Letter spacing also follows the last character; half of it is added to centre the line.
      x={x + (letterSpacing * size) / 2}
      y={y}
      textAnchor="middle"
      fontSize={size}
      fontWeight={weight}
      fontStyle={italic ? 'italic' : 'normal'}
      letterSpacing={letterSpacing * size}
      style={{ fill: token(ink) }}
    >
      {text}
    </text>
  );
}
