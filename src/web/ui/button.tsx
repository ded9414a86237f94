import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

type ButtonStyle = { look?: 'gold' | 'quiet'; wide?: boolean };

/** Returns the class names of a button, for links that look like one. */
export function buttonClass({ look = 'gold', wide = false }: ButtonStyle = {}): string {
  return [styles.button, styles[look], wide ? styles.wide : ''].filter(Boolean).join(' ');
}

/** A button: gold for the main action, quiet for the others. */
export function Button({
  look,
  wide,
  type = 'button',
  ...rest
}: ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type={type} className={buttonClass({ ...(look && { look }), ...(wide && { wide }) })} {...rest} />
  );
}
