//! A submitted form, as far as this crate reads forms.

/// A submitted form, field by field.
pub trait FormFields {
    /// The value of a field. `None` if the field is not in the form.
    fn field(&self, name: &str) -> Option<&str>;
    /// Whether a box is ticked.
    fn is_ticked(&self, name: &str) -> bool;
}
