interface Named {
  firstName: string | null;
  lastName: string | null;
  email: string;
}

/** What a member is called: their name, else their e-mail address. */
export const nameOf = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(" ") || email;
