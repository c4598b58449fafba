import { Button, type ButtonProps } from "./button";

/**
 * Confirms that a secret shown only once is stored. Ignores the second click of a double click, because the first one
 * may have created the secret with a button in the same place.
 */
export const StoredButton = ({ onStored, ...props }: Omit<ButtonProps, "onClick"> & { onStored: () => void }) => (
  <Button variant="primary" onClick={({ detail }) => detail < 2 && onStored()} {...props} />
);
