fn main() {
    let _ = async {
        let _ = retry::block!(stop = attempts(3), wait = none(), on = any_error(), async {
            std::fs::read("data")?;
            Ok(())
        });
    };
}
