import type { ComponentProps } from 'react';
import styles from './action.module.css';

/** The one thing to press, in antique gold; `quiet` for what stands beside it. */
type ActionStyle = { quiet?: boolean; breathing?: boolean };

export function ActionButton({
  quiet = false,
  breathing = false,
  className = '',
  ...rest
}: ComponentProps<'button'> & ActionStyle) {
  return (
    <button
      type="button"
      className={`${styles.action} ${className}`}
      data-quiet={quiet}
      data-breathing={breathing}
      {...rest}
    />
  );
}

/** The same as a link, for what the browser itself must fetch. */
export function ActionLink({
  quiet = false,
  breathing = false,
  className = '',
  children,
  ...rest
}: ComponentProps<'a'> & ActionStyle) {
  return (
    <a className={`${styles.action} ${className}`} data-quiet={quiet} data-breathing={breathing} {...rest}>
      {children}
    </a>
  );
}
