fn main() {
    let text = String::new();
    let _ = async {
        retry::block!(stop = attempts(3), wait = none(), on = any_error(), async move {
            Ok::<usize, ()>(text.len())
        })
    };
}
