//! The static identity of one annotated function or block.

/// One annotated function or block.
#[derive(Debug)]
pub struct Site {
    name: Name,
}

#[derive(Debug)]
enum Name {
    Given(&'static str),
    /// Gives the path of a function inside the annotated one.
    Inside(fn() -> &'static str),
}

impl Site {
    /// A site named by the user.
    pub const fn named(name: &'static str) -> Self {
        Self { name: Name::Given(name) }
    }

    /// A site named after the function that `inside`, which returns its own path, stands in.
    pub const fn around(inside: fn() -> &'static str) -> Self {
        Self { name: Name::Inside(inside) }
    }

    /// The name, without the parts that only our expansion has put there.
    pub fn name(&self) -> &'static str {
        match self.name {
            Name::Given(name) => name,
            Name::Inside(inside) => {
                let path = inside();
                let path = path.rsplit_once("::").map_or(path, |(around, _)| around);
                let mut path = path;
                while let Some(outside) = path.strip_suffix("::{{closure}}") {
                    path = outside;
                }
                path
            }
        }
    }
}

impl PartialEq for Site {
    /// A site is itself, not what it is called.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Site {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_path_of_the_function_around() {
        fn inside() -> &'static str {
            core::any::type_name_of_val(&inside)
        }
        static SITE: Site = Site::around(inside);
        assert_eq!(
            SITE.name(),
            "retry_core::site::tests::the_name_is_the_path_of_the_function_around"
        );
    }

    #[test]
    fn the_name_of_an_async_function_ends_with_its_own_name() {
        static SITE: Site = Site::around(|| "app::fetch::{{closure}}::{{closure}}::inside");
        assert_eq!(SITE.name(), "app::fetch");
    }
}
